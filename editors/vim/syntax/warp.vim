" Vim syntax file
" Language: warpsim assembly (.warp)

if exists("b:current_syntax")
  finish
endif
syntax case match

" registers
syntax match warpRegister "%[A-Za-z_]\w*"
" special registers
syntax match warpSpecial "%\%(laneid\|warpid\|nwarpid\|tid\.x\|tid\.y\|tid\.z\|ntid\.x\|ntid\.y\|ntid\.z\|ctaid\.x\|ctaid\.y\|ctaid\.z\|nctaid\.x\|nctaid\.y\|nctaid\.z\|lanemask_eq\|lanemask_le\|lanemask_lt\|lanemask_ge\|lanemask_gt\|gtid\|smid\|nsmid\|gridid\|clusterid\.x\|clusterid\.y\|clusterid\.z\|nclusterid\.x\|nclusterid\.y\|nclusterid\.z\|cluster_ctaid\.x\|cluster_ctaid\.y\|cluster_ctaid\.z\|cluster_nctaid\.x\|cluster_nctaid\.y\|cluster_nctaid\.z\|cluster_ctarank\|cluster_nctarank\|total_smem_size\|aggr_smem_size\|dynamic_smem_size\|reserved_smem_offset_begin\|reserved_smem_offset_end\|reserved_smem_offset_cap\|reserved_smem_offset_0\|reserved_smem_offset_1\|envreg0\|envreg1\|envreg2\|pm0\|pm0_64\|current_graph_exec\|clock\|clock_hi\|clock64\|globaltimer\|globaltimer_lo\|globaltimer_hi\)\>"
" guards
syntax match warpGuard "@!\=\ze%"
" opcodes
syntax match warpOpcode "[[:alnum:]_.%]\@1<!\%(abs\|activemask\|add\|addc\|and\|applypriority\|atom\|bar\|barrier\|bfe\|bfi\|bfind\|bmsk\|bra\|brev\|brkpt\|broadcast\|clz\|cnot\|copysign\|cos\|cp\|cvt\|discard\|div\|dp2a\|dp4a\|ex2\|exit\|fence\|fma\|fns\|griddepcontrol\|ld\|ldu\|lg2\|lop3\|mad\|mad24\|madc\|match\|max\|mbarrier\|membar\|min\|mov\|mul\|mul24\|nanosleep\|neg\|not\|or\|pmevent\|popc\|prefetch\|prefetchu\|prmt\|rcp\|red\|reduce\|redux\|rem\|ret\|rsqrt\|sad\|scan\|selp\|set\|setp\|shf\|shfl\|shl\|shr\|sin\|slct\|sqrt\|st\|sub\|subc\|szext\|tanh\|testp\|trap\|vote\|xor\)[[:alnum:]_(]\@!\%(\.\w\+\)*"
" types
syntax match warpType "[[:alnum:]_%]\@1<!\.\=\%(pred\|b8\|u8\|s8\|b16\|u16\|s16\|f16\|bf16\|e4m3x2\|e5m2x2\|b32\|u32\|s32\|f32\|tf32\|f16x2\|bf16x2\|b64\|u64\|s64\|f64\|mask\)\>"
" directives
syntax match warpDirective "[[:alnum:]_.%]\@1<!\.\%(title\|document\|section\|puzzle\|group\|twin\|kernel\|reg\|shared\|phase\|draw\|picture\|exempt\|unordered\|assert\|allow\|case\)\>"
syntax match warpParameter "\<\%(in\|out\|inout\|param\)\>\ze\s\+\w"
syntax match warpField "^\s*\%(expect\|lanes\|grid\|block\|max_cycles\|finding\)\>"
syntax match warpConstant "\<\%(WARP_SZ\|W\|lane\|inf\|nan\|undefined\)\>"
syntax match warpFinding "\<WS\d\{4}\>"
syntax match warpNumber "\<\%(0[xX]\x\+\|0[bB][01]\+\|0[fF]\x\{8}\|0[dD]\x\{16}\|\d\+\%(\.\d*\)\=\%([eE][+-]\=\d\+\)\=\)\>"
syntax match warpLabel "^\s*[A-Za-z_]\w*\ze\s*:"
syntax region warpString start=+"+ skip=+\\.+ end=+"\|$+
syntax match warpComment "//.*$" contains=@Spell
syntax region warpComment start="/\*" end="\*/" contains=@Spell

highlight default link warpRegister Identifier
highlight default link warpSpecial Special
highlight default link warpGuard Operator
highlight default link warpOpcode Statement
highlight default link warpType Type
highlight default link warpDirective PreProc
highlight default link warpParameter StorageClass
highlight default link warpField Keyword
highlight default link warpConstant Constant
highlight default link warpFinding Constant
highlight default link warpNumber Number
highlight default link warpLabel Label
highlight default link warpString String
highlight default link warpComment Comment

let b:current_syntax = "warp"
