#define _GNU_SOURCE
#include "allocation_count.h"

#include <errno.h>
#include <link.h>
#include <stddef.h>
#include <string.h>

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer)
#define UNCOUNTED 1
#endif
#endif

#ifdef UNCOUNTED
int64_t allocation_count(void) { return -1; }
int64_t allocation_count_of_libraries(void) { return -1; }
void allocation_count_pause(void) {}
void allocation_count_resume(void) {}
#else
// glibc's own allocator functions, behind the public names that this file replaces.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

#define OF_THREAD static _Thread_local __attribute__((tls_model("initial-exec")))
OF_THREAD int64_t own, of_libraries, pauses;

// The address ranges of the code of libyuv and libjpeg-turbo.
static struct { uintptr_t start, end; } code[8];
static int code_count;

static int note_library(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size;
  (void)unused;
  const char *name = info->dlpi_name ? info->dlpi_name : "";
  if (!strstr(name, "/libyuv.so") && !strstr(name, "/libturbojpeg.so") && !strstr(name, "/libjpeg.so")) return 0;
  for (int i = 0; i < info->dlpi_phnum && code_count < 8; i++) {
    const ElfW(Phdr) *part = &info->dlpi_phdr[i];
    if (part->p_type != PT_LOAD || !(part->p_flags & PF_X)) continue;
    code[code_count].start = info->dlpi_addr + part->p_vaddr;
    code[code_count].end = code[code_count].start + part->p_memsz;
    code_count++;
  }
  return 0;
}

// Allocations before this constructor count as the program's own.
__attribute__((constructor)) static void find_libraries(void) { dl_iterate_phdr(note_library, NULL); }

// Attributes an allocation by the caller's address, because both libraries call the allocator directly.
static inline __attribute__((always_inline)) void count(void *caller) {
  if (pauses > 0) return;
  for (int i = 0; i < code_count; i++) {
    if ((uintptr_t)caller >= code[i].start && (uintptr_t)caller < code[i].end) {
      of_libraries++;
      return;
    }
  }
  own++;
}

int64_t allocation_count(void) { return own; }
int64_t allocation_count_of_libraries(void) { return of_libraries; }
void allocation_count_pause(void) { pauses++; }
void allocation_count_resume(void) { pauses--; }

void *malloc(size_t size) {
  count(__builtin_return_address(0));
  return __libc_malloc(size);
}

void *calloc(size_t number, size_t size) {
  count(__builtin_return_address(0));
  return __libc_calloc(number, size);
}

void *realloc(void *memory, size_t size) {
  count(__builtin_return_address(0));
  return __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  return __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
  count(__builtin_return_address(0));
  if (alignment < sizeof(void *) || (alignment & (alignment - 1))) return EINVAL;
  // `__libc_memalign` sets errno when it fails, but `posix_memalign` must not change errno.
  int before = errno;
  void *made = __libc_memalign(alignment, size);
  errno = before;
  if (!made) return ENOMEM;
  *memory = made;
  return 0;
}
#endif
