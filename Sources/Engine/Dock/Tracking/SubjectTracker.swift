/// All subjects of a picture, from frame to frame. Confined to one thread.
final class SubjectTracker {
  /// What it is asked beside following.
  enum Request: Sendable {
    /// Track what is in this rectangle, as the subject that was chosen.
    case choose(DockRect)
    /// Track these too, such as the spines of books that were read.
    case offer([DockRect])
    /// Let all go.
    case forget
  }

  /// What a frame is looked at with.
  struct Look: Sendable {
    /// In seconds, of the frame's exposure.
    var time: Double
    /// By how much the camera's own motion moved the picture since the last frame, in parts of it.
    var shift: DockPoint
    /// Where subjects are looked for.
    var region: DockRect
    /// Subjects are looked for that nobody chose.
    var proposes: Bool
    /// Not forgotten, though it is lost.
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

  /// By rank.
  var subjects: [DockSubject] {
    let order = tracks.sorted { ($0.saliency, $1.id) > ($1.saliency, $0.id) }
    return order.enumerated().map { place, track in
      DockSubject(id: track.id, rect: track.rect, confidence: track.confidence, rank: place + 1)
    }
  }

  /// - Returns: the subject that was chosen by the requests, if any.
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

  /// One that nobody chose gives way.
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

  /// One lost subject a frame is looked for: the chosen one every other time.
  private func findLost(_ picture: LumaPicture, _ look: Look) {
    let lost = tracks.indices.filter { tracks[$0].isLost }
    guard let first = lost.first else { return }
    let index = lost.first { tracks[$0].id == look.selected } ?? first
    for place in search.places(of: tracks[index].template, in: picture, region: look.region)
    where isFree(place, but: tracks[index].id) && tracks[index].resume(at: place, picture, at: look.time) {
      return
    }
  }

  /// Salient parts become subjects, and subjects are as salient as what they are in now.
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
