import JSON
import Recording
import System

/// Deletion of photos and recordings, and its undoing.
extension ViewfinderHub {
  /// Deletes a photo that a viewfinder took. Other pictures of its folder are never deleted.
  func deletePhoto(_ name: String) -> CommandOutcome {
    guard PhotoList.isPhoto(name) else {
      return .refused("there is no photo \(name.prefix(60)) of a viewfinder")
    }
    let outcome = delete(name, deletedPhotos)
    if case .accepted = outcome, facts.photos.last?.name.isExactly(name) == true { facts.photos.last = nil }
    return outcome
  }

  /// Deletes a recording of the list, with its thumbnail. Other files are never deleted.
  func deleteRecording(_ name: String) async -> CommandOutcome {
    let path = "\(configuration.recordings)/\(name)"
    guard facts.recordings.contains(where: { $0.path.isExactly(path) }) else {
      return .refused("there is no recording \(name.prefix(60)); recordings lists them")
    }
    if case .recording(let present, _) = recorder.current, present.isExactly(path) {
      return .refused("this file is being recorded; stop the recording first")
    }
    let outcome = delete(name, deletedRecordings)
    await listRecordings()
    return outcome
  }

  private func delete(_ name: String, _ files: DeletedFiles) -> CommandOutcome {
    do throws(DeletedFiles.Failure) {
      let entry = try files.delete(name)
      noteDeleted()
      return .accepted(["until": .number(Double(entry.until) / 1000)])
    } catch { return .refused("\(name) was not deleted: \(error.reason)") }
  }

  /// Brings back what was deleted last under this name.
  func restore(_ name: String) async -> CommandOutcome {
    for files in [deletedPhotos, deletedRecordings] {
      do throws(DeletedFiles.Failure) {
        guard try files.restore(name) else { continue }
        noteDeleted()
        await listRecordings()
        return .accepted()
      } catch { return .refused("\(name) was not brought back: \(error.reason)") }
    }
    return .refused("no deleted file \(name.prefix(60)) is kept; deleted lists them")
  }

  /// Removes for good what was deleted long enough ago.
  func removeDue() async {
    await NamedThread.aside(name: "deleted") { [deletedPhotos, deletedRecordings] in
      deletedPhotos.removeDue()
      deletedRecordings.removeDue()
    }
    noteDeleted()
    changed()
  }

  private func noteDeleted() {
    facts.deleted = (deletedPhotos.entries + deletedRecordings.entries).sorted { $0.until > $1.until }
  }
}
