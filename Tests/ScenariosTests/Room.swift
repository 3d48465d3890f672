// tests of Scenarios
