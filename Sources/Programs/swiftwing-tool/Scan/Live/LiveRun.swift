import ArgumentParser
import Capture
import Console
import Dispatch
import Foundation
import Harness
import Library
import ScanStation
import System
import Uploads

/// One live scan, from start to its summary.
struct LiveRun {
  private let parts: LiveStation
  private let options: LiveScan
  private let view: any LiveView

  init(_ parts: LiveStation, _ options: LiveScan) {
    self.parts = parts
    self.options = options
    view = options.json ? LiveJSON() : LiveText()
  }

  /// Runs the scan.
  /// - Throws: the reason why the scan could not start; `ExitCode` 130 after ^C, 1 if the library cannot be written, and for a failed
  ///   camera the status of `Failure.kind`.
  func run() async throws {
    view.begin(
      ways: parts.recognition.ways, reader: parts.reader, library: parts.library, source: options.source)
    let ending = Ending(station: parts.station, patience: options.wait)
    let interrupts = Interrupts.Watch { _ in ending.interrupt() }
    defer { interrupts.end() }
    let watching = Task { [view, station = parts.station, count = options.count] in
      var taken = 0
      for await event in station.events {
        view.show(event)
        if case .accepted = event { taken += 1 }
        if case .libraryGone = event { ending.begin(for: .gone) }
        if Self.ends(event) || taken == count ?? .max { ending.begin(for: .done) }
      }
    }
    do { try await parts.station.start() } catch {
      await watching.value
      view.end()
      if ending.isInterrupted { throw ExitCode(.interrupted) }
      throw error
    }
    let keys = listen()
    let ticks = tick()
    await watching.value
    keys?.cancel()
    ticks.cancel()
    try await close(ending)
  }

  private static func ends(_ event: ScanEvent) -> Bool {
    switch event {
    case .session(.ended), .session(.failed): true
    default: false
    }
  }

  private func close(_ ending: Ending) async throws {
    let left = await ending.counts
    let counts = parts.station.isLibraryInPlace ? left : nil
    view.end()
    view.summary(counts, isInterrupted: ending.isInterrupted)
    if ending.isInterrupted { throw ExitCode(.interrupted) }
    if case .failed(let error) = await parts.station.session.state { throw ExitCode(Failure.kind(of: error)) }
    guard counts != nil else { throw ExitCode(.failed) }
  }

  /// Makes Enter take a photo, if standard input is a terminal.
  private func listen() -> (any DispatchSourceRead)? {
    guard isatty(STDIN_FILENO) == 1 else { return nil }
    let input = DispatchSource.makeReadSource(fileDescriptor: STDIN_FILENO, queue: .global())
    input.setEventHandler { [station = parts.station, view] in
      var bytes = [UInt8](repeating: 0, count: 256)
      guard read(STDIN_FILENO, &bytes, bytes.count) > 0 else { return input.cancel() }
      Task {
        do { _ = try await station.press() } catch { view.show(.refused("\(error)")) }
      }
    }
    input.resume()
    return input
  }

  /// Updates the countdown once a second.
  private func tick() -> Task<Void, Never> {
    Task { [view] in
      while (try? await Task.sleep(for: .seconds(1))) != nil { view.tick() }
    }
  }
}

/// Ends a live scan: takes no more photos, waits for work in progress, then stops everything.
final class Ending: Sendable {
  /// The reason why a scan ends: `done` if all photos were taken, `interrupted` by ^C or a request to end, `gone` if the library
  /// is lost.
  enum Cause: Sendable { case done, interrupted, gone }

  private struct State {
    var task: Task<ScanQueue.Counts?, Never>?
    var isInterrupted = false
  }

  private let state = Locked(State())
  private let station: ScanStation
  private let patience: Double

  init(station: ScanStation, patience: Double) {
    self.station = station
    self.patience = patience
  }

  var isInterrupted: Bool { state.withLock { $0.isInterrupted } }

  /// The number of queued scans at the end of the scan; nil if the queue cannot be read.
  var counts: ScanQueue.Counts? {
    get async {
      begin(for: .done)
      return await state.withLock { $0.task }?.value
    }
  }

  /// Ends the scan; later calls do nothing. Waits for deliveries only for `done`.
  func begin(for cause: Cause) {
    state.withLock { state in
      guard state.task == nil else { return }
      state.isInterrupted = cause == .interrupted
      state.task = Task { [station, patience] in
        await station.closeShutter()
        if cause == .done { await Self.drain(station, patience) }
        return try? await station.finish()
      }
    }
  }

  private static func drain(_ station: ScanStation, _ patience: Double) async {
    await withTaskGroup(of: Void.self) { group in
      group.addTask { try? await station.drain() }
      group.addTask { try? await Task.sleep(for: .seconds(patience)) }
      await group.next()
      group.cancelAll()
    }
  }

  /// Handles ^C and SIGTERM. The second signal ends the program at once; the queue is on disk at all times.
  func interrupt() {
    if isInterrupted { _exit(Interrupts.status) }
    let isFirst = state.withLock { state in
      defer { state.isInterrupted = true }
      return state.task == nil
    }
    if isFirst { begin(for: .interrupted) } else { state.withLock { $0.task }?.cancel() }
  }
}
