# To be sourced: sets `overlays`, the compiler options for tests where Swift lacks Testing's additional library for Foundation, as Debian's Swift 6.2
# does. No test needs that library.
overlays=()
library=$(swift -print-target-info | sed -nE 's/.*"runtimeResourcePath": "(.*)".*/\1/p')/linux
[ ! -e "$library/_Testing_Foundation.swiftmodule" ] || [ -e "$library/lib_Testing_Foundation.so" ] || overlays=(-Xswiftc -Xfrontend -Xswiftc -disable-cross-import-overlays)
