// The part of OpenVINO's C API (openvino/c/*.h of the 2026.4 wheel) that recognition needs, loaded with dlopen so that a
// program without OpenVINO still starts. Status codes: 0 is success.
#pragma once
#include <stddef.h>
#include <stdint.h>

typedef struct ov_core ov_core_t;
typedef struct ov_model ov_model_t;
typedef struct ov_compiled_model ov_compiled_model_t;
typedef struct ov_infer_request ov_infer_request_t;
typedef struct ov_tensor ov_tensor_t;

typedef struct {
  int64_t rank;
  int64_t *dims;
} ov_shape_t;

// The element type code of 32-bit floats (ov_element_type_e).
enum { openvino_f32 = 4 };

typedef struct openvino_api openvino_api;

// Opens `path` (libopenvino_c.so.*) and finds every function. NULL on failure, with the reason in `reason`. The library stays
// loaded for the life of the process.
const openvino_api *openvino_load(const char *path, char *reason, size_t capacity);

const char *openvino_build(const openvino_api *api, char *buffer, size_t capacity);
const char *openvino_last_error(const openvino_api *api);

int openvino_core_create(const openvino_api *api, ov_core_t **core);
void openvino_core_free(const openvino_api *api, ov_core_t *core);
// Reads an ONNX model and compiles it for the CPU with `streams` parallel requests of one thread each. `precision` is the number type
// for the computation ("f32", "bf16"); NULL for the fastest that the processor has.
int openvino_compile(const openvino_api *api, ov_core_t *core, const char *path, int streams, const char *precision,
                     ov_compiled_model_t **model);
// Writes the number type that a compiled model actually uses.
int openvino_precision(const openvino_api *api, const ov_compiled_model_t *model, char *buffer, size_t capacity);
void openvino_compiled_model_free(const openvino_api *api, ov_compiled_model_t *model);
int openvino_request_create(const openvino_api *api, ov_compiled_model_t *model, ov_infer_request_t **request);
void openvino_request_free(const openvino_api *api, ov_infer_request_t *request);
// Runs the model on `input` (floats, `dims` of rank 4); the output stays valid until the request's next run.
int openvino_infer(const openvino_api *api, ov_infer_request_t *request, float *input, const int64_t dims[4],
                   const float **output, int64_t output_dims[4], int64_t *output_rank);
