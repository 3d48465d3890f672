// tests of Capture
