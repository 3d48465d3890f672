// SHA256_Init and its relatives are the part of libcrypto that links without the rest of it.
#define OPENSSL_SUPPRESS_DEPRECATED
#include <openssl/sha.h>
