// One-line questions and answers over a Unix socket, between lab-ctl and the servers of devices.
#pragma once
#include <stdbool.h>
#include <stddef.h>

/// Makes the socket a server listens on, replacing one left behind; ends the program when it cannot.
int listen_at(const char *path);

/// The next client's line, without its end, and the descriptor to answer on; -1 when there is none or it says nothing in a second.
int next_question(int listener, char *line, size_t size);

/// Answers "ok" with the time it took effect (CLOCK_MONOTONIC, seconds) and closes.
void answer_done(int client, double time);

/// Answers with a sentence that says why not, and closes.
void answer_refused(int client, const char *reason);

/// Sends a line to the server at path and waits up to ten seconds for the answer's line.
bool ask(const char *path, const char *line, char *answer, size_t size);
