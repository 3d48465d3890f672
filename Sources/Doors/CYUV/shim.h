#include <libyuv.h>

// libyuv's own tables clamp the blue coefficient of limited-range matrices to 2.0 (BT.709 needs 2.11), which makes codes wrong by
// up to 18. These are the best six-bit coefficients and bias for each matrix, found by exhaustive search over all
// codes against the exact matrix (ITU-R BT.601-7, BT.709-6, BT.2020-2): the rounded result is never off by more than one
// code. BT.2020 full range is not possible in this form (green would be off by 2) and is missing here.
#if defined(__x86_64__) || defined(__i386__)
#define CYUV_8(a, b) a, b, a, b, a, b, a, b, a, b, a, b, a, b, a, b
#define CYUV_16(a) a, a, a, a, a, a, a, a, a, a, a, a, a, a, a, a
#define CYUV_TABLE(name, yg, yb, ub, ug, vg, vr)                                      \
  __attribute__((aligned(64))) static const struct YuvConstants name = {              \
      {CYUV_8(ub, 0), CYUV_8(ub, 0)}, {CYUV_8(ug, vg), CYUV_8(ug, vg)},               \
      {CYUV_8(0, vr), CYUV_8(0, vr)}, {CYUV_16(yg)}, {CYUV_16(yb)}};                  \
  __attribute__((aligned(64))) static const struct YuvConstants name##Swapped = {     \
      {CYUV_8(vr, 0), CYUV_8(vr, 0)}, {CYUV_8(vg, ug), CYUV_8(vg, ug)},               \
      {CYUV_8(0, ub), CYUV_8(0, ub)}, {CYUV_16(yg)}, {CYUV_16(yb)}};
#elif defined(__aarch64__)
// The same tables in the layout for arm64: the chroma offset of 128 is part of the bias.
#define CYUV_ROW(name, yg, yb, ub, ug, vg, vr) \
  static const struct YuvConstants name = {      \
      {ub, vr, ug, vg}, {yg, (ub) * 128 - (yb), ((ug) + (vg)) * 128 + (yb), (vr) * 128 - (yb)}};
#define CYUV_TABLE(name, yg, yb, ub, ug, vg, vr) \
  CYUV_ROW(name, yg, yb, ub, ug, vg, vr) CYUV_ROW(name##Swapped, yg, yb, vr, vg, ug, ub)
#endif

#if defined(CYUV_TABLE)
CYUV_TABLE(CYUVBT601Limited, 19003, -1161, 129, 25, 52, 102)
CYUV_TABLE(CYUVBT601Full, 16320, 28, 113, 22, 46, 90)
CYUV_TABLE(CYUVBT709Limited, 19003, -1160, 135, 14, 34, 115)
CYUV_TABLE(CYUVBT709Full, 16320, 29, 119, 12, 30, 101)
CYUV_TABLE(CYUVBT2020Limited, 19003, -1160, 137, 12, 42, 107)

/// The table for `matrix` (0 BT.601, 1 BT.709, 2 BT.2020) and range, for BGRA bytes, or with Cb and Cr swapped for RGBA
/// bytes; NULL if six bits do not suffice.
static inline const struct YuvConstants *_Nullable cyuv_constants(int matrix, int full, int swapped) {
  switch (matrix * 2 + (full ? 1 : 0)) {
  case 0: return swapped ? &CYUVBT601LimitedSwapped : &CYUVBT601Limited;
  case 1: return swapped ? &CYUVBT601FullSwapped : &CYUVBT601Full;
  case 2: return swapped ? &CYUVBT709LimitedSwapped : &CYUVBT709Limited;
  case 3: return swapped ? &CYUVBT709FullSwapped : &CYUVBT709Full;
  case 4: return swapped ? &CYUVBT2020LimitedSwapped : &CYUVBT2020Limited;
  default: return 0;
  }
}
#else
static inline const struct YuvConstants *_Nullable cyuv_constants(int matrix, int full, int swapped) {
  (void)matrix;
  (void)full;
  (void)swapped;
  return 0;
}
#endif
