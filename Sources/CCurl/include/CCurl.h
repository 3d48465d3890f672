// libcurl's variadic calls under fixed signatures, for Swift.
#ifndef SWIFTWING_CCURL_H
#define SWIFTWING_CCURL_H

#include <curl/curl.h>
#include <stdbool.h>
#include <string.h>

static inline CURLcode curl_set_long(CURL *easy, CURLoption option, long value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_offset(CURL *easy, CURLoption option, curl_off_t value) {
  return curl_easy_setopt(easy, option, value);
}

/// libcurl copies the string, except for CURLOPT_POSTFIELDS.
static inline CURLcode curl_set_string(CURL *easy, CURLoption option, const char *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_pointer(CURL *easy, CURLoption option, void *value) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_set_callback(CURL *easy, CURLoption option, size_t (*value)(char *, size_t, size_t, void *)) {
  return curl_easy_setopt(easy, option, value);
}

static inline CURLcode curl_get_long(CURL *easy, CURLINFO info, long *value) {
  return curl_easy_getinfo(easy, info, value);
}

/// The string belongs to the handle and lives until its next call.
static inline CURLcode curl_get_string(CURL *easy, CURLINFO info, const char **value) {
  return curl_easy_getinfo(easy, info, value);
}

static inline CURLcode curl_get_pointer(CURL *easy, CURLINFO info, void **value) {
  return curl_easy_getinfo(easy, info, value);
}

/// libcurl copies the bytes.
static inline CURLcode curl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count) {
  struct curl_blob blob = {(void *)bytes, count, CURL_BLOB_COPY};
  return curl_easy_setopt(easy, option, &blob);
}

/// For a handle with CURLOPT_PINNEDPUBLICKEY, which says whose key it must be: whoever has issued the certificate, it is taken, but for
/// its dates and its host. Fails where libcurl is not built on OpenSSL.
CURLcode curl_trust_any_issuer(CURL *easy);

static inline CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value) {
  return curl_multi_setopt(multi, option, value);
}

/// CURLMsg holds a union: the transfer that has ended and how, or false when there is none left to tell.
static inline bool curl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result) {
  int left;
  for (CURLMsg *message; (message = curl_multi_info_read(multi, &left));) {
    if (message->msg != CURLMSG_DONE) continue;
    *easy = message->easy_handle;
    *result = message->data.result;
    return true;
  }
  return false;
}

static const size_t curl_write_pause = CURL_WRITEFUNC_PAUSE;
static const int curl_pause_none = CURLPAUSE_CONT;

#endif
