#include "CLittleCMS.h"
#include <dlfcn.h>
#include <elf.h>
#include <lcms2.h>
#include <lcms2_plugin.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

#define FUNCTIONS(F)                                                                                                         \
  F(cmsCreateContext)                                                                                                        \
  F(cmsDeleteContext)                                                                                                        \
  F(cmsOpenProfileFromMemTHR)                                                                                                \
  F(cmsCreate_sRGBProfileTHR)                                                                                                \
  F(cmsCreateRGBProfileTHR)                                                                                                  \
  F(cmsCreateGrayProfileTHR)                                                                                                 \
  F(cmsBuildGamma)                                                                                                           \
  F(cmsBuildParametricToneCurve)                                                                                             \
  F(cmsFreeToneCurve)                                                                                                        \
  F(cmsCloseProfile)                                                                                                         \
  F(cmsIsTag)                                                                                                                \
  F(cmsReadTag)                                                                                                              \
  F(cmsPipelineStageCount)                                                                                                   \
  F(cmsPipelineGetPtrToFirstStage)                                                                                           \
  F(cmsStageNext)                                                                                                            \
  F(cmsStageInputChannels)                                                                                                   \
  F(cmsStageOutputChannels)                                                                                                  \
  F(cmsCreateTransformTHR)                                                                                                   \
  F(cmsDeleteTransform)                                                                                                      \
  F(cmsDoTransform)

struct littlecms_api {
#define MEMBER(function) __typeof__(&function) function;
  FUNCTIONS(MEMBER)
#undef MEMBER
};

struct littlecms_transform {
  cmsContext context;
  cmsHTRANSFORM transform;
  int makes_opaque;
};

// MARK: The library

// Weak: a statically linked program may have no loader at all.
extern __typeof__(dlopen) dlopen __attribute__((weak));
extern __typeof__(dlsym) dlsym __attribute__((weak));

// A static program could only load a library together with a second C library.
static int has_dynamic_linker(void) {
  const ElfW(Phdr) *headers = (const ElfW(Phdr) *)getauxval(AT_PHDR);
  for (unsigned long i = 0, count = headers ? getauxval(AT_PHNUM) : 0; i < count; i++)
    if (headers[i].p_type == PT_INTERP) return 1;
  return 0;
}

const littlecms_api *littlecms_load(char *reason, size_t capacity) {
  if (!dlopen || !dlsym || !has_dynamic_linker()) {
    snprintf(reason, capacity, "this program is linked statically; use a build with shared libraries");
    return NULL;
  }
  void *library = dlopen("liblcms2.so.2", RTLD_NOW | RTLD_LOCAL);
  littlecms_api *api = library ? calloc(1, sizeof *api) : NULL;
  const char *missing = "";
#define SYMBOL(function) \
  if (api && !(api->function = (__typeof__(&function))dlsym(library, #function))) missing = #function;
  FUNCTIONS(SYMBOL)
#undef SYMBOL
  if (api && !*missing) return api;
  const char *lack = "there is no memory; end other programs";
  if (!library) lack = "liblcms2.so.2 is not there; install liblcms2-2";
  else if (*missing) lack = "liblcms2.so.2 lacks functions; install a newer liblcms2-2";
  snprintf(reason, capacity, "%s", lack);
  free(api);
  return NULL;
}

// MARK: Memory

// The memory that the present profile may still allocate on this thread. All allocations count, even if they are freed.
static _Thread_local int64_t allowance;
enum { MOST_BYTES = 128 << 20, MOST_STAGES = 16, MOST_CHANNELS = 4 };

static void *take(cmsContext context, cmsUInt32Number size) {
  (void)context;
  return (allowance -= size) >= 0 ? malloc(size) : NULL;
}

static void *take_more(cmsContext context, void *memory, cmsUInt32Number size) {
  (void)context;
  return (allowance -= size) >= 0 ? realloc(memory, size) : NULL;
}

static void give_back(cmsContext context, void *memory) {
  (void)context;
  free(memory);
}

static cmsContext bounded(const littlecms_api *api) {
  static cmsPluginMemHandler memory = {
      .base = {cmsPluginMagicNumber, 2000, cmsPluginMemHandlerSig, NULL}, .MallocPtr = take, .FreePtr = give_back, .ReallocPtr = take_more};
  allowance = MOST_BYTES;
  return api->cmsCreateContext(&memory, NULL);
}

// MARK: Profiles

// Tables with many dimensions and chains of many steps would take minutes.
static int is_modest(const littlecms_api *api, cmsHPROFILE profile) {
  static const cmsTagSignature tags[] = {cmsSigAToB0Tag, cmsSigAToB1Tag, cmsSigAToB2Tag, cmsSigDToB0Tag, cmsSigDToB1Tag, cmsSigDToB2Tag, cmsSigDToB3Tag};
  for (size_t i = 0; i < sizeof tags / sizeof *tags; i++) {
    if (!api->cmsIsTag(profile, tags[i])) continue;
    const cmsPipeline *steps = api->cmsReadTag(profile, tags[i]);
    if (!steps || api->cmsPipelineStageCount(steps) > MOST_STAGES) return 0;
    for (cmsStage *stage = api->cmsPipelineGetPtrToFirstStage(steps); stage; stage = api->cmsStageNext(stage))
      if (api->cmsStageInputChannels(stage) > MOST_CHANNELS || api->cmsStageOutputChannels(stage) > MOST_CHANNELS) return 0;
  }
  return 1;
}

// Grey is converted to grey with the curve of sRGB.
static cmsHPROFILE target(const littlecms_api *api, cmsContext context, littlecms_pixels pixels) {
  if (pixels != littlecms_grey) return api->cmsCreate_sRGBProfileTHR(context);
  const cmsCIExyY white = {0.3127, 0.3290, 1};
  const double curve[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  cmsToneCurve *tone = api->cmsBuildParametricToneCurve(context, 4, curve);
  cmsHPROFILE profile = tone ? api->cmsCreateGrayProfileTHR(context, &white, tone) : NULL;
  if (tone) api->cmsFreeToneCurve(tone);
  return profile;
}

// Takes ownership of the profile and the context.
static littlecms_transform *made(const littlecms_api *api, cmsContext context, cmsHPROFILE source, littlecms_pixels pixels) {
  static const cmsUInt32Number formats[] = {TYPE_GRAY_8, TYPE_BGRA_8, TYPE_CMYK_8_REV};
  littlecms_transform *result = calloc(1, sizeof *result);
  cmsHPROFILE sink = result && source ? target(api, context, pixels) : NULL;
  if (sink && is_modest(api, source))
    result->transform = api->cmsCreateTransformTHR(
        context, source, formats[pixels], sink, pixels == littlecms_grey ? TYPE_GRAY_8 : TYPE_BGRA_8, INTENT_PERCEPTUAL, 0);
  if (sink) api->cmsCloseProfile(sink);
  if (source) api->cmsCloseProfile(source);
  if (result && result->transform) {
    result->context = context;
    result->makes_opaque = pixels == littlecms_inverted_cmyk;
    return result;
  }
  free(result);
  api->cmsDeleteContext(context);
  return NULL;
}

littlecms_transform *littlecms_of_profile(const littlecms_api *api, const void *bytes, uint32_t count, littlecms_pixels pixels) {
  cmsContext context = bounded(api);
  return context ? made(api, context, api->cmsOpenProfileFromMemTHR(context, bytes, count), pixels) : NULL;
}

littlecms_transform *littlecms_of_primaries(const littlecms_api *api, const double *places, double gamma) {
  cmsContext context = bounded(api);
  if (!context) return NULL;
  const cmsCIExyY white = {places[0], places[1], 1};
  const cmsCIExyYTRIPLE primaries = {{places[2], places[3], 1}, {places[4], places[5], 1}, {places[6], places[7], 1}};
  const double curve[] = {2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045};
  cmsToneCurve *tone = gamma > 0 ? api->cmsBuildGamma(context, gamma) : api->cmsBuildParametricToneCurve(context, 4, curve);
  cmsToneCurve *tones[] = {tone, tone, tone};
  cmsHPROFILE source = tone ? api->cmsCreateRGBProfileTHR(context, &white, &primaries, tones) : NULL;
  if (tone) api->cmsFreeToneCurve(tone);
  return made(api, context, source, littlecms_bgra);
}

void littlecms_apply(const littlecms_api *api, const littlecms_transform *transform, const void *from, void *to, uint32_t count) {
  allowance = MOST_BYTES;
  api->cmsDoTransform(transform->transform, from, to, count);
  if (transform->makes_opaque)
    for (uint32_t i = 0; i < count; i++) ((uint8_t *)to)[i * 4 + 3] = 255;
}

void littlecms_close(const littlecms_api *api, littlecms_transform *transform) {
  api->cmsDeleteTransform(transform->transform);
  api->cmsDeleteContext(transform->context);
  free(transform);
}
