import Glibc

exit(RenderCommand(arguments: Array(CommandLine.arguments.dropFirst())).run())
