// What a program needs to run its tasks and take its signals on its main thread.
#ifndef SWIFTWING_CMAINTHREAD_H
#define SWIFTWING_CMAINTHREAD_H

/// From now on every job that the runtime would give to its pool of threads is given to `take`, on any thread. `take` must see to it that
/// each is run once, with `main_thread_run`. Call it before the first task is made.
void main_thread_take_jobs(void (*_Nonnull take)(void *_Nonnull job));
/// Runs a job that was taken, on this thread, to its next suspension. It must not be used afterwards.
void main_thread_run(void *_Nonnull job);

/// From now on SIGINT and SIGTERM only signal this eventfd. Once, before there is a second thread.
void main_thread_take_signals(int descriptor);
/// The latest of the signals that were taken; 0 for none.
int main_thread_signal(void);

#endif
