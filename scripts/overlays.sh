# To be sourced: `overlays`, what the tests are compiled with where Swift has no library of what Testing adds to Foundation, as Debian's Swift 6.2. No test needs it.
overlays=()
library=$(swift -print-target-info | sed -nE 's/.*"runtimeResourcePath": "(.*)".*/\1/p')/linux
[ ! -e "$library/_Testing_Foundation.swiftmodule" ] || [ -e "$library/lib_Testing_Foundation.so" ] || overlays=(-Xswiftc -Xfrontend -Xswiftc -disable-cross-import-overlays)
