#include "COpenVINO.h"
#include "CLoader.h"
#include <stdio.h>

typedef struct {
  const char *build;
  const char *description;
} ov_version_t;

struct openvino_api {
  int (*get_version)(ov_version_t *);
  void (*version_free)(ov_version_t *);
  const char *(*last_error)(void);
  int (*core_create)(ov_core_t **);
  void (*core_free)(ov_core_t *);
  int (*read_model)(const ov_core_t *, const char *, const char *, ov_model_t **);
  void (*model_free)(ov_model_t *);
  int (*compile)(const ov_core_t *, const ov_model_t *, const char *, size_t, ov_compiled_model_t **, ...);
  void (*compiled_free)(ov_compiled_model_t *);
  int (*get_property)(const ov_compiled_model_t *, const char *, char **);
  void (*text_free)(const char *);
  int (*request_create)(const ov_compiled_model_t *, ov_infer_request_t **);
  void (*request_free)(ov_infer_request_t *);
  int (*set_input)(ov_infer_request_t *, const ov_tensor_t *);
  int (*infer)(ov_infer_request_t *);
  int (*get_output)(const ov_infer_request_t *, ov_tensor_t **);
  int (*tensor_from_host)(int, ov_shape_t, void *, ov_tensor_t **);
  int (*tensor_shape)(const ov_tensor_t *, ov_shape_t *);
  int (*tensor_type)(const ov_tensor_t *, int *);
  int (*tensor_data)(const ov_tensor_t *, void **);
  void (*tensor_free)(ov_tensor_t *);
  int (*shape_free)(ov_shape_t *);
};

static const loader_symbol symbols[] = {
    {"ov_get_openvino_version", offsetof(openvino_api, get_version)},
    {"ov_version_free", offsetof(openvino_api, version_free)},
    {"ov_get_last_err_msg", offsetof(openvino_api, last_error)},
    {"ov_core_create", offsetof(openvino_api, core_create)},
    {"ov_core_free", offsetof(openvino_api, core_free)},
    {"ov_core_read_model", offsetof(openvino_api, read_model)},
    {"ov_model_free", offsetof(openvino_api, model_free)},
    {"ov_core_compile_model", offsetof(openvino_api, compile)},
    {"ov_compiled_model_free", offsetof(openvino_api, compiled_free)},
    {"ov_compiled_model_get_property", offsetof(openvino_api, get_property)},
    {"ov_free", offsetof(openvino_api, text_free)},
    {"ov_compiled_model_create_infer_request", offsetof(openvino_api, request_create)},
    {"ov_infer_request_free", offsetof(openvino_api, request_free)},
    {"ov_infer_request_set_input_tensor", offsetof(openvino_api, set_input)},
    {"ov_infer_request_infer", offsetof(openvino_api, infer)},
    {"ov_infer_request_get_output_tensor", offsetof(openvino_api, get_output)},
    {"ov_tensor_create_from_host_ptr", offsetof(openvino_api, tensor_from_host)},
    {"ov_tensor_get_shape", offsetof(openvino_api, tensor_shape)},
    {"ov_tensor_get_element_type", offsetof(openvino_api, tensor_type)},
    {"ov_tensor_data", offsetof(openvino_api, tensor_data)},
    {"ov_tensor_free", offsetof(openvino_api, tensor_free)},
    {"ov_shape_free", offsetof(openvino_api, shape_free)},
};

const openvino_api *openvino_load(const char *path, char *reason, size_t capacity) {
  return loader_open(path, symbols, sizeof symbols / sizeof *symbols, sizeof(openvino_api), reason, capacity);
}

const char *openvino_build(const openvino_api *api, char *buffer, size_t capacity) {
  ov_version_t version = {0};
  if (api->get_version(&version) != 0) return NULL;
  snprintf(buffer, capacity, "%s", version.build ? version.build : "");
  api->version_free(&version);
  return buffer;
}

const char *openvino_last_error(const openvino_api *api) {
  // The library has no message before its first error, such as one that only this file finds.
  const char *message = api->last_error();
  return message ? message : "";
}

int openvino_core_create(const openvino_api *api, ov_core_t **core) { return api->core_create(core); }
void openvino_core_free(const openvino_api *api, ov_core_t *core) { api->core_free(core); }

static const char precision_hint[] = "INFERENCE_PRECISION_HINT";

int openvino_compile(const openvino_api *api, ov_core_t *core, const char *path, int streams, const char *precision,
                     ov_compiled_model_t **compiled) {
  ov_model_t *model = NULL;
  int status = api->read_model(core, path, NULL, &model);
  if (status) return status;
  char count[16];
  snprintf(count, sizeof count, "%d", streams);
  // Limit the cache of code, which is compiled for each input shape. The default of 5,000 shapes takes gigabytes after some dozens of photos.
  // Arguments beyond the given number are ignored.
  status = api->compile(core, model, "CPU", precision ? 8 : 6, compiled, "NUM_STREAMS", count, "INFERENCE_NUM_THREADS", count,
                        "CPU_RUNTIME_CACHE_CAPACITY", "64", precision_hint, precision);
  api->model_free(model);
  return status;
}

int openvino_precision(const openvino_api *api, const ov_compiled_model_t *model, char *buffer, size_t capacity) {
  char *value = NULL;
  int status = api->get_property(model, precision_hint, &value);
  if (status || !value) return status ? status : -1;
  snprintf(buffer, capacity, "%s", value);
  api->text_free(value);
  return 0;
}

void openvino_compiled_model_free(const openvino_api *api, ov_compiled_model_t *model) { api->compiled_free(model); }

int openvino_request_create(const openvino_api *api, ov_compiled_model_t *model, ov_infer_request_t **request) {
  return api->request_create(model, request);
}

void openvino_request_free(const openvino_api *api, ov_infer_request_t *request) { api->request_free(request); }

// Gets the output tensor as floats; returns -1 for any other type.
static int output_of(const openvino_api *api, ov_infer_request_t *request, const float **output, int64_t dims[4],
                     int64_t *rank) {
  ov_tensor_t *tensor = NULL;
  int status = api->get_output(request, &tensor);
  if (status) return status;
  ov_shape_t shape = {0};
  int type = 0;
  status = api->tensor_shape(tensor, &shape);
  if (!status) {
    *rank = shape.rank;
    for (int64_t i = 0; i < shape.rank && i < 4; i++) dims[i] = shape.dims[i];
    if (shape.rank < 1 || shape.rank > 4) status = -1;
    api->shape_free(&shape);
  }
  if (!status) status = api->tensor_type(tensor, &type);
  if (!status && type != openvino_f32) status = -1;
  if (!status) status = api->tensor_data(tensor, (void **)output);
  // The request keeps the memory; this only frees the handle.
  api->tensor_free(tensor);
  return status;
}

int openvino_infer(const openvino_api *api, ov_infer_request_t *request, float *input, const int64_t dims[4],
                   const float **output, int64_t output_dims[4], int64_t *output_rank) {
  ov_shape_t shape = {4, (int64_t *)dims};
  ov_tensor_t *tensor = NULL;
  int status = api->tensor_from_host(openvino_f32, shape, input, &tensor);
  if (status) return status;
  status = api->set_input(request, tensor);
  if (!status) status = api->infer(request);
  api->tensor_free(tensor);
  return status ? status : output_of(api, request, output, output_dims, output_rank);
}
