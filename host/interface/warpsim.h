/* libwarpsim: a GPU without a GPU, for programs in any language.
 *
 * Kernels are texts of PTX. A device has a memory with addresses of its own; kernels run in it as warpsim runs them:
 * one warp after another, always in the same order, with the bits of an H200 for code that is compiled without fusing.
 *
 * Shapes:  handles are pointers that the library makes; a kernel belongs to its module, a module to its device.
 * Units:   bytes; lines and columns from 1, columns in bytes.
 * Errors:  every call that can fail returns a status, and warpsim_error() says in words what was wrong. Nothing here
 *          ends the process or throws. A null handle is WARPSIM_ERROR_INVALID_VALUE.
 * Threads: devices share nothing. Calls about one device may come from several threads: they are served one after
 *          another. warpsim_stop() is served at once. A callback must not call about its own device, but for
 *          warpsim_stop().
 * ABI:     structures begin with their size: later versions add members behind.
 * Source:  PTX ISA 9.0; what the machine does where it leaves a choice: sim/README.md.
 */
#ifndef WARPSIM_H
#define WARPSIM_H

#include <stddef.h>
#include <stdint.h>

#if defined(_WIN32)
#define WARPSIM_API
#else
#define WARPSIM_API __attribute__((visibility("default")))
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum warpsim_status {
  WARPSIM_OK = 0,
  WARPSIM_ERROR_INVALID_VALUE = 1, /* an argument that cannot be */
  WARPSIM_ERROR_OUT_OF_MEMORY = 2,
  WARPSIM_ERROR_BAD_PTX = 3,     /* it does not parse, or its parts do not fit */
  WARPSIM_ERROR_NOT_FOUND = 4,   /* no kernel or symbol of that name */
  WARPSIM_ERROR_BAD_LAUNCH = 5,  /* a launch beyond a limit */
  WARPSIM_ERROR_TRAP = 6,        /* the kernel stopped abnormally; what it left in memory stays */
  WARPSIM_ERROR_UNSUPPORTED = 7, /* … at an instruction that warpsim does not execute */
  WARPSIM_ERROR_STOPPED = 8,     /* … because warpsim_stop() was called */
  WARPSIM_ERROR_BAD_ADDRESS = 9, /* nothing is allocated there, or not so much */
  WARPSIM_ERROR_INTERNAL = 70    /* a mistake in the library */
} warpsim_status;

typedef struct warpsim_device warpsim_device;
typedef struct warpsim_module warpsim_module;
typedef struct warpsim_kernel warpsim_kernel;

WARPSIM_API const char* warpsim_version(void);                      /* "0.1.0" */
WARPSIM_API const char* warpsim_status_name(warpsim_status status); /* "WARPSIM_ERROR_TRAP" */

/* ---- devices */

typedef struct warpsim_device_options {
  size_t size;     /* of this structure */
  uint32_t checks; /* 0: launches are not watched for races, undefined values and the like, and run faster */
} warpsim_device_options;
#define WARPSIM_DEVICE_OPTIONS \
  { sizeof(warpsim_device_options), 1 }

/* `options` may be null: all as WARPSIM_DEVICE_OPTIONS has it. */
WARPSIM_API warpsim_status warpsim_create(const warpsim_device_options* options, warpsim_device** device);
/* With its modules and its memory. Null is nothing. */
WARPSIM_API void warpsim_destroy(warpsim_device* device);

/* What went wrong in this thread's last call about the device that failed, as people read it; "" if none did. Writes at
 * most `size` bytes, with a zero at the end, and returns how many it takes without that zero. */
WARPSIM_API size_t warpsim_error(const warpsim_device* device, char* text, size_t size);

/* ---- memory */

/* Zeros. `name` is what messages call it, and may be null. */
WARPSIM_API warpsim_status warpsim_allocate(warpsim_device* device, uint64_t size, const char* name, uint64_t* address);
/* The host's memory at its own address: kernels work in it until it is freed. */
WARPSIM_API warpsim_status warpsim_map(warpsim_device* device, void* host, uint64_t size, const char* name);
/* What was allocated or mapped at exactly this address; 0 is nothing. */
WARPSIM_API warpsim_status warpsim_free(warpsim_device* device, uint64_t address);
WARPSIM_API warpsim_status warpsim_write(warpsim_device* device, uint64_t to, const void* from, uint64_t size);
WARPSIM_API warpsim_status warpsim_read(warpsim_device* device, void* to, uint64_t from, uint64_t size);
WARPSIM_API warpsim_status warpsim_copy(warpsim_device* device, uint64_t to, uint64_t from, uint64_t size);
WARPSIM_API warpsim_status warpsim_fill(warpsim_device* device, uint64_t to, uint8_t value, uint64_t size);

/* ---- modules */

typedef struct warpsim_ptx {
  const char* text;
  size_t length;    /* 0: the text ends with a zero */
  const char* name; /* what messages call it; may be null */
} warpsim_ptx;

/* One text, or several that are linked by symbol. */
WARPSIM_API warpsim_status warpsim_load(warpsim_device* device, const warpsim_ptx* texts, size_t count,
                                        warpsim_module** module);
/* Its kernels are gone then. Null is nothing. */
WARPSIM_API void warpsim_unload(warpsim_module* module);

WARPSIM_API size_t warpsim_kernel_count(const warpsim_module* module);
WARPSIM_API warpsim_kernel* warpsim_kernel_at(warpsim_module* module, size_t index); /* null: there are not so many */
/* By its symbol, "_Z5saxpyifPf", or by its name alone, "saxpy", if no other kernel has it. */
WARPSIM_API warpsim_status warpsim_find_kernel(warpsim_module* module, const char* name, warpsim_kernel** kernel);
/* A variable of the module. `size` may be null. */
WARPSIM_API warpsim_status warpsim_find_symbol(warpsim_module* module, const char* name, uint64_t* address,
                                               uint64_t* size);
WARPSIM_API const char* warpsim_kernel_symbol(const warpsim_kernel* kernel);
WARPSIM_API const char* warpsim_kernel_name(const warpsim_kernel* kernel);
WARPSIM_API size_t warpsim_parameter_count(const warpsim_kernel* kernel);
/* The size of a parameter, and where it stands among them; each pointer may be null. */
WARPSIM_API warpsim_status warpsim_parameter(const warpsim_kernel* kernel, size_t index, uint64_t* size,
                                             uint64_t* offset);

/* ---- launches */

typedef struct warpsim_shape {
  size_t size;           /* of this structure */
  uint32_t grid[3];      /* blocks */
  uint32_t block[3];     /* threads */
  uint32_t shared_bytes; /* dynamic shared memory of a block */
  uint32_t cooperative;  /* not 0: all blocks are there at once */
} warpsim_shape;
#define WARPSIM_SHAPE(blocks, threads) \
  { sizeof(warpsim_shape), {(blocks), 1, 1}, {(threads), 1, 1}, 0, 0 }

/* Runs to the end. `parameters` has a pointer to each value, as cuLaunchKernel's has; may be null if there is none. */
WARPSIM_API warpsim_status warpsim_launch(warpsim_kernel* kernel, const warpsim_shape* shape,
                                          const void* const* parameters);
/* Ends the launch that runs now. From any thread, and from a signal handler. */
WARPSIM_API void warpsim_stop(warpsim_device* device);

/* ---- what launches do */

typedef enum warpsim_severity {
  WARPSIM_ADVICE = 0,
  WARPSIM_WARNING = 1,
  WARPSIM_FAULT = 2,
  WARPSIM_TRAPPED = 3 /* it ended the launch */
} warpsim_severity;

typedef struct warpsim_finding {
  size_t size; /* of this structure */
  warpsim_severity severity;
  const char* code;    /* "WS0104": docs/rules.md */
  const char* kind;    /* "source-outside-mask" */
  const char* message; /* one sentence */
  const char* hint;    /* what to try; may be "" */
  const char* text;    /* all of it as the command draws it, several lines */
  const char* file;    /* the source if the PTX says it, else the PTX; "" if no line is to blame */
  uint32_t line, column;
  uint32_t ptx_line;  /* in the text of PTX; 0: no line is to blame */
  const char* kernel; /* its name */
  uint64_t launch;    /* of the device, from 1 */
  uint64_t issue;     /* the instruction of the launch at which it was seen, from 1; 0: before the first */
  uint32_t block[3];
  uint32_t warp;  /* in the block */
  uint64_t lanes; /* a bit each */
} warpsim_finding;

typedef struct warpsim_statistics {
  size_t size; /* of this structure */
  const char* kernel;
  uint64_t launch;
  uint64_t instructions;   /* of warps */
  uint64_t active_lanes;   /* summed over them */
  uint64_t existing_lanes; /* … that could have been active */
  uint64_t shared_accesses, shared_conflicts;
  uint64_t global_requests, global_sectors, global_least_sectors; /* of 32 bytes */
} warpsim_statistics;

/* What is passed is valid during the call. Null ends it. A callback that is set costs time at each launch. */
typedef void (*warpsim_finding_callback)(void* user, const warpsim_finding* finding);
typedef void (*warpsim_text_callback)(void* user, const char* text, size_t length);
typedef void (*warpsim_statistics_callback)(void* user, const warpsim_statistics* statistics);
WARPSIM_API void warpsim_on_finding(warpsim_device* device, warpsim_finding_callback callback, void* user);
/* What printf of a launch wrote, once it has ended. */
WARPSIM_API void warpsim_on_print(warpsim_device* device, warpsim_text_callback callback, void* user);
/* The launch as NDJSON, traces/FORMAT.md, in pieces while it runs. */
WARPSIM_API void warpsim_on_trace(warpsim_device* device, warpsim_text_callback callback, void* user);
WARPSIM_API void warpsim_on_statistics(warpsim_device* device, warpsim_statistics_callback callback, void* user);

/* ---- as gpuocelot has it */

/* Runs the first kernel of a text of PTX, which ends with a zero, on the host's own memory. The n arguments are values,
 * not pointers to them: addresses of the host, and numbers of up to 64 bits; l… threads, g… blocks. Returns a status,
 * which callers that know gpuocelot's function do not ask for. An address at which the process has no memory ends the
 * call and not the process; what is wrong is written to standard error. Memory that another thread unmaps meanwhile is
 * that thread's mistake. The texts that were run last are kept as programs. */
WARPSIM_API int ptx_run(const char* ptx, int n, void* const* args, int lx, int ly, int lz, int gx, int gy, int gz,
                        int smem);

#ifdef __cplusplus
}
#endif

#endif
