autocmd BufRead,BufNewFile *.warp setfiletype warp
