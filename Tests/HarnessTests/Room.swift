// tests of Harness
