import BookScan
import Capture
import Foundation
import Imagery
import Library
import ScanStation
import Uploads

// The documentation's examples, compiled but not run.

private func exampleScanStation(source: any CameraSource, folder: String) async throws {
  let reader = PhotoReader(worker: try RecognitionWorker(), level: .accurate)
  let journal = ScanJournal()
  let station = ScanStation(
    source: source, store: try Store(directory: folder),
    recognition: Recognition(WaySettings(), remote: nil, reader: reader, journal: journal), journal: journal)
  try await station.start()
  for await event in station.events {
    guard case .found(_, let spines) = event else { continue }
    for spine in spines where spine.isNew { print(spine.title, spine.author) }
  }
}

private func exampleSpineRegister(photos: [PhotoFindings]) async throws {
  var register = SpineRegister()
  for photo in photos {
    let sightings = photo.spines.map { SpineSighting(spine: $0) }
    for case .new(let copy) in register.note(sightings, size: photo.size) { print(copy.number, copy.title) }
  }
}

private func examplePhotographStation(folder: String) async throws {
  let reader = PhotoReader(worker: try RecognitionWorker(), level: .accurate)
  let journal = ScanJournal(keepsCut: true)
  let station = PhotographStation(
    store: try Store(directory: folder),
    recognition: Recognition(WaySettings(), remote: nil, reader: reader, journal: journal), journal: journal)
  let watching = Task {
    var tally = PhotographTally()
    for await event in station.events { tally.note(event) }
    return tally.summary
  }
  try await station.run(PhotographSearch(["shelves"]).photographs)
  print(await watching.value.new, "books")
}

private func exampleScanIntake(
  store: Store, recognition: Recognition, journal: ScanJournal, session: CaptureSession, photos: PhotoOutput
) async throws {
  let intake = ScanIntake(store: store, recognition: recognition, journal: journal)
  try await intake.begin()
  let photo = try await session.capturePhoto(recognition.photoSettings, from: photos)
  try await intake.accept(photo.photo.bytes)
}
