// tests of Video4Linux
