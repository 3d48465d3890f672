/// All subjects of a picture, tracked from frame to frame. Confined to one thread.
final class SubjectTracker {
  /// A request in addition to tracking.
  enum Request: Sendable {
    /// Track the content of this rectangle as the chosen subject.
    case choose(DockRect)
    /// Track these rectangles too, such as the spines of books that were read.
    case offer([DockRect])
    case forget
  }

  /// The parameters for analysing a frame.
  struct Look: Sendable {
    /// The time of the frame's exposure, in seconds.
    var time: Double
    /// The shift of the picture by the camera's own motion since the last frame, in shares of the picture.
    var shift: DockPoint
    /// The region in which subjects are looked for.
    var region: DockRect
    /// Whether to look for subjects that nobody chose.
    var proposes: Bool
    /// The id of the subject that is not forgotten even if it is lost.
    var selected: Int?
  }

  private let configuration: TrackingConfiguration
  private let transform: FourierTransform
  private let saliency = SaliencyMap()
  private var search = SubjectSearch()
  private var tracks: [SubjectTrack] = []
  private var lastID = 0
  private var lastLook = -Double.infinity

  init(_ configuration: TrackingConfiguration) {
    self.configuration = configuration.bounded
    transform = FourierTransform(side: self.configuration.window)
  }

  var subjects: [DockSubject] {
    let order = tracks.sorted { ($0.saliency, $1.id) > ($1.saliency, $0.id) }
    return order.enumerated().map { place, track in
      DockSubject(id: track.id, rect: track.rect, confidence: track.confidence, rank: place + 1)
    }
  }

  /// - Returns: the id of the subject that a request chose, if any.
  func observe(_ picture: LumaPicture, _ look: Look, requests: [Request] = []) -> Int? {
    for index in tracks.indices { tracks[index].follow(picture, at: look.time, shift: look.shift) }
    findLost(picture, look)
    tracks.removeAll { track in
      track.isLost && track.id != look.selected && look.time - track.lastSeen > configuration.forgetsAfter
    }
    var chosen: Int?
    for request in requests { chosen = take(request, picture, look: look) ?? chosen }
    if look.proposes, look.time - lastLook >= configuration.looksEvery { propose(picture, look) }
    return chosen
  }

  private func take(_ request: Request, _ picture: LumaPicture, look: Look) -> Int? {
    switch request {
    case .forget: tracks = []
    case .choose(let rect):
      makeRoom(keeping: look.selected)
      return add(rect, saliency: 0, picture, look: look)
    case .offer(let rects):
      for rect in rects.prefix(configuration.mostSubjects)
      where rect.isUsable && tracks.count < configuration.mostSubjects && isFree(rect) {
        _ = add(rect, saliency: 0, picture, look: look)
      }
    }
    return nil
  }

  /// Removes the least important subject that nobody chose.
  private func makeRoom(keeping selected: Int?) {
    guard tracks.count >= configuration.mostSubjects else { return }
    let least = tracks.indices.filter { tracks[$0].id != selected }.min {
      (tracks[$0].isLost ? -1 : tracks[$0].saliency) < (tracks[$1].isLost ? -1 : tracks[$1].saliency)
    }
    if let least { tracks.remove(at: least) } else { tracks = [] }
  }

  private func add(_ rect: DockRect, saliency: Double, _ picture: LumaPicture, look: Look) -> Int {
    lastID += 1
    let bounded = DockRect(
      center: rect.center, width: min(max(rect.width, 12 / Double(picture.width)), 0.5),
      height: min(max(rect.height, 12 / Double(picture.height)), 0.5))
    tracks.append(
      SubjectTrack(
        id: lastID, rect: bounded, saliency: saliency, in: picture, at: look.time, transform: transform,
        configuration: configuration))
    return lastID
  }

  private func isFree(_ rect: DockRect, but id: Int? = nil) -> Bool {
    tracks.allSatisfy { track in
      track.id == id || track.isLost || (track.rect.overlap(rect) < 0.2 && !track.rect.contains(rect.center))
    }
  }

  /// Looks for one lost subject in each frame: the selected one if it is lost, otherwise the first.
  private func findLost(_ picture: LumaPicture, _ look: Look) {
    let lost = tracks.indices.filter { tracks[$0].isLost }
    guard let first = lost.first else { return }
    let index = lost.first { tracks[$0].id == look.selected } ?? first
    for place in search.places(of: tracks[index].template, in: picture, region: look.region)
    where isFree(place, but: tracks[index].id) && tracks[index].resume(at: place, picture, at: look.time) {
      return
    }
  }

  /// Makes subjects of salient parts, and updates the saliency of present subjects.
  private func propose(_ picture: LumaPicture, _ look: Look) {
    lastLook = look.time
    let proposals = saliency.proposals(in: picture, region: look.region)
    for index in tracks.indices {
      let here = proposals.filter { $0.rect.overlap(tracks[index].rect) > 0.1 }.map(\.weight).max() ?? 0
      tracks[index].saliency += (here - tracks[index].saliency) / 2
    }
    for proposal in proposals where tracks.count < configuration.mostSubjects && isFree(proposal.rect) {
      _ = add(proposal.rect, saliency: proposal.weight, picture, look: look)
    }
  }
}
