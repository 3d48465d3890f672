#define _GNU_SOURCE
#include "CCounting.h"
#include <dlfcn.h>
#include <elf.h>
#include <link.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

/* Bytes that the C library's functions have been asked to copy, by all threads. */
static atomic_ulong copied;

typedef void *copying(void *, const void *, size_t);
typedef void *checking(void *, const void *, size_t, size_t);
static copying *copies, *moves, *copies_on;
static checking *checked_copies, *checked_moves, *checked_copies_on;

static void add(size_t bytes) { atomic_fetch_add_explicit(&copied, bytes, memory_order_relaxed); }

/* The functions that stand in place of the C library's. */
static void *counting_memcpy(void *to, const void *from, size_t bytes) { add(bytes); return copies(to, from, bytes); }
static void *counting_memmove(void *to, const void *from, size_t bytes) { add(bytes); return moves(to, from, bytes); }
static void *counting_mempcpy(void *to, const void *from, size_t bytes) { add(bytes); return copies_on(to, from, bytes); }
static void *counting_memcpy_chk(void *to, const void *from, size_t bytes, size_t room) { add(bytes); return checked_copies(to, from, bytes, room); }
static void *counting_memmove_chk(void *to, const void *from, size_t bytes, size_t room) { add(bytes); return checked_moves(to, from, bytes, room); }
static void *counting_mempcpy_chk(void *to, const void *from, size_t bytes, size_t room) { add(bytes); return checked_copies_on(to, from, bytes, room); }

static const struct { const char *name; void *stands, *original; } functions[] = {
  {"memcpy", (void *)counting_memcpy, &copies},
  {"memmove", (void *)counting_memmove, &moves},
  {"mempcpy", (void *)counting_mempcpy, &copies_on},
  {"__memcpy_chk", (void *)counting_memcpy_chk, &checked_copies},
  {"__memmove_chk", (void *)counting_memmove_chk, &checked_moves},
  {"__mempcpy_chk", (void *)counting_mempcpy_chk, &checked_copies_on},
};

/* The kinds of relocation of a function's address (ELF for x86-64, ELF for the Arm 64-bit architecture). */
#if defined(__x86_64__)
enum { AN_ADDRESS = R_X86_64_GLOB_DAT, A_CALL = R_X86_64_JUMP_SLOT };
#elif defined(__aarch64__)
enum { AN_ADDRESS = R_AARCH64_GLOB_DAT, A_CALL = R_AARCH64_JUMP_SLOT };
#else
#error "the relocations of this processor are not known here"
#endif

struct object { ElfW(Addr) base; const ElfW(Sym) *symbols; const char *names; };

static void replace_in(const struct object *object, const ElfW(Rela) *entries, size_t bytes) {
  for (const ElfW(Rela) *entry = entries; entry && entry < entries + bytes / sizeof *entries; entry++) {
    unsigned kind = ELF64_R_TYPE(entry->r_info);
    if (kind != AN_ADDRESS && kind != A_CALL) continue;
    const char *name = object->names + object->symbols[ELF64_R_SYM(entry->r_info)].st_name;
    for (size_t i = 0; i < sizeof functions / sizeof *functions; i++)
      if (strcmp(name, functions[i].name) == 0) *(void **)(object->base + entry->r_offset) = functions[i].stands;
  }
}

static int watch(struct dl_phdr_info *info, size_t size, void *unused) {
  (void)size, (void)unused;
  const ElfW(Dyn) *dynamic = NULL;
  ElfW(Addr) from = 0, to = 0, page = (ElfW(Addr))sysconf(_SC_PAGESIZE);
  for (int i = 0; i < info->dlpi_phnum; i++) {
    const ElfW(Phdr) *header = &info->dlpi_phdr[i];
    if (header->p_type == PT_DYNAMIC) dynamic = (const ElfW(Dyn) *)(info->dlpi_addr + header->p_vaddr);
    if (header->p_type == PT_GNU_RELRO) {
      from = (info->dlpi_addr + header->p_vaddr) & -page;
      to = (info->dlpi_addr + header->p_vaddr + header->p_memsz) & -page;
    }
  }
  struct object object = {info->dlpi_addr, NULL, NULL};
  const ElfW(Rela) *calls = NULL, *others = NULL;
  size_t callBytes = 0, otherBytes = 0;
  for (; dynamic && dynamic->d_tag != DT_NULL; dynamic++) {
    /* glibc has made these addresses absolute, except those of the kernel's own object (linux-vdso.so). */
    ElfW(Addr) address = dynamic->d_un.d_ptr < info->dlpi_addr ? dynamic->d_un.d_ptr + info->dlpi_addr : dynamic->d_un.d_ptr;
    switch (dynamic->d_tag) {
    case DT_SYMTAB: object.symbols = (const ElfW(Sym) *)address; break;
    case DT_STRTAB: object.names = (const char *)address; break;
    case DT_JMPREL: calls = (const ElfW(Rela) *)address; break;
    case DT_PLTRELSZ: callBytes = dynamic->d_un.d_val; break;
    case DT_RELA: others = (const ElfW(Rela) *)address; break;
    case DT_RELASZ: otherBytes = dynamic->d_un.d_val; break;
    }
  }
  if (!object.symbols || !object.names) return 0;
  /* Addresses that never change after the start of the program are protected (PT_GNU_RELRO). */
  if (from < to && mprotect((void *)from, to - from, PROT_READ | PROT_WRITE)) return 0;
  replace_in(&object, calls, callBytes);
  replace_in(&object, others, otherBytes);
  if (from < to) mprotect((void *)from, to - from, PROT_READ);
  return 0;
}

void counting_watch_copies(void) {
  for (size_t i = 0; i < sizeof functions / sizeof *functions; i++) {
    void **original = functions[i].original;
    if (!*original) *original = dlsym(RTLD_DEFAULT, functions[i].name);
    if (!*original) return;
  }
  dl_iterate_phdr(watch, NULL);
}

uint64_t counting_copied(void) { return atomic_load_explicit(&copied, memory_order_relaxed); }

bool counting_copy(uint64_t bytes) {
  char *from = malloc(bytes), *to = malloc(bytes);
  bool made = from && to;
  if (made) {
    /* The compiler must know neither what is copied, or it would fill both, nor that nobody reads the copy, or it would leave it out. */
    __asm__ volatile("" : : "r"(from) : "memory");
    memcpy(to, from, bytes);
    __asm__ volatile("" : : "r"(to) : "memory");
  }
  free(from);
  free(to);
  return made;
}
