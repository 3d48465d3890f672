#include "CCurl.h"
#include <openssl/ssl.h>
#include <openssl/x509_vfy.h>

// Who issued a certificate does not matter; all else that OpenSSL has against it, its dates foremost, still does.
static int overlook_issuer(int is_valid, X509_STORE_CTX *context) {
  switch (X509_STORE_CTX_get_error(context)) {
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT:
    case X509_V_ERR_UNABLE_TO_GET_ISSUER_CERT_LOCALLY:
    case X509_V_ERR_DEPTH_ZERO_SELF_SIGNED_CERT:
    case X509_V_ERR_SELF_SIGNED_CERT_IN_CHAIN:
    case X509_V_ERR_UNABLE_TO_VERIFY_LEAF_SIGNATURE:
    case X509_V_ERR_CERT_UNTRUSTED:
      X509_STORE_CTX_set_error(context, X509_V_OK);
      return 1;
    default:
      return is_valid;
  }
}

static CURLcode set_verification(CURL *easy, void *context, void *unused) {
  (void)easy;
  (void)unused;
  SSL_CTX_set_verify(context, SSL_VERIFY_PEER, overlook_issuer);
  return CURLE_OK;
}

CURLcode curl_trust_any_issuer(CURL *easy) {
  curl_version_info_data *version = curl_version_info(CURLVERSION_NOW);
  if (!version->ssl_version || strncmp(version->ssl_version, "OpenSSL/", 8) != 0) return CURLE_NOT_BUILT_IN;
  CURLcode code = curl_easy_setopt(easy, CURLOPT_CAINFO, NULL);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_CAPATH, NULL);
  if (code == CURLE_OK) code = curl_easy_setopt(easy, CURLOPT_SSL_CTX_FUNCTION, set_verification);
  return code;
}
