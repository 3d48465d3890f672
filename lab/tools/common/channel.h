// Questions and answers of one line each, over a Unix socket, between lab-ctl and the servers of devices.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Makes the socket on which a server listens, and replaces a socket that an earlier run left. Ends the program on failure.
int listen_at(const char *path);

/// Gets the next client's line, without its end, and returns the descriptor for the answer; -1 without a client, or if it sends nothing in a second.
int next_question(int listener, char *line, size_t size);

/// Answers "ok" with the time at which the command took effect (CLOCK_MONOTONIC, seconds), and closes the connection.
void answer_done(int client, double time);

/// Answers with a sentence that has the reason of a refusal, and closes.
void answer_refused(int client, const char *reason);

/// Sends a line to the server at path, and waits up to ten seconds for the line of the answer. Returns false without an answer.
bool ask(const char *path, const char *line, char *answer, size_t size);
