// libcurl, loaded when the network is first needed: if it were linked, its 28 libraries would delay the start of every command by 4 ms.
//
// The functions of <curl/curl.h> that are used here are defined in this module and pass the call on. If libcurl is not available, those that make a
// handle return NULL, and no other may be called. The variadic ones have fixed signatures, for Swift.
#ifndef SWIFTWING_CCURL_H
#define SWIFTWING_CCURL_H

// Declare the functions as part of this program, not of a shared library.
#define CURL_STATICLIB
#define CURL_DISABLE_TYPECHECK
#include <curl/curl.h>
#include <stdbool.h>
#include <stddef.h>

/// Loads and starts libcurl, once per process; from any thread.
/// - Parameter reason: receives the reason of a failure, as a clause of at most `capacity` bytes.
bool curl_load(char *reason, size_t capacity);

CURLcode curl_set_long(CURL *easy, CURLoption option, long value);
CURLcode curl_set_offset(CURL *easy, CURLoption option, curl_off_t value);
/// libcurl copies the string, except for CURLOPT_POSTFIELDS.
CURLcode curl_set_string(CURL *easy, CURLoption option, const char *value);
CURLcode curl_set_pointer(CURL *easy, CURLoption option, void *value);
CURLcode curl_set_callback(CURL *easy, CURLoption option, size_t (*value)(char *, size_t, size_t, void *));
/// libcurl copies the bytes.
CURLcode curl_set_bytes(CURL *easy, CURLoption option, const void *bytes, size_t count);

/// Calls `curl_url_get`, whose first argument is const in some versions of libcurl.
CURLUcode curl_url_part(CURLU *url, CURLUPart part, char **text, unsigned int flags);

CURLcode curl_get_long(CURL *easy, CURLINFO info, long *value);
/// The string belongs to the handle and is valid until its next call.
CURLcode curl_get_string(CURL *easy, CURLINFO info, const char **value);
CURLcode curl_get_pointer(CURL *easy, CURLINFO info, void **value);

/// For a handle with CURLOPT_PINNEDPUBLICKEY, which fixes the key: accepts a certificate of any issuer, but still checks
/// its dates and its host. Fails if libcurl is not built on OpenSSL.
CURLcode curl_trust_any_issuer(CURL *easy);

CURLMcode curl_multi_set_long(CURLM *multi, CURLMoption option, long value);

/// Gets the next finished transfer and its result, which CURLMsg holds in a union; false if there is none left.
bool curl_multi_next_done(CURLM *multi, CURL **easy, CURLcode *result);

static const size_t curl_write_pause = CURL_WRITEFUNC_PAUSE;
static const int curl_pause_none = CURLPAUSE_CONT;

#endif
