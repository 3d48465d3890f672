// Runs a program's tasks and receives its signals on its main thread.
#ifndef SWIFTWING_CMAINTHREAD_H
#define SWIFTWING_CMAINTHREAD_H

/// From now on, every job for the runtime's thread pool is passed to `take`, on any thread. `take` must ensure that
/// each job is run once, with `main_thread_run`. Call this before the first task is created.
void main_thread_take_jobs(void (*_Nonnull take)(void *_Nonnull job));
/// Runs a job that was passed to `take`, on this thread, to its next suspension. The job must not be used afterwards.
void main_thread_run(void *_Nonnull job);

/// From now on, SIGINT and SIGTERM only signal this eventfd. Call this once, before there is a second thread.
void main_thread_take_signals(int descriptor);
/// The latest received signal; 0 for none.
int main_thread_signal(void);

#endif
