print("swiftwing-harness")
