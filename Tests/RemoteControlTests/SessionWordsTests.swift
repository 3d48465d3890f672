import Capture
import Testing

@testable import RemoteControl

/// What a shutter that is off says is for a person.
@Suite struct SessionWordsTests {
  @Test(arguments: [
    (SessionState.interrupted(.deviceDisconnected), "the camera is disconnected; plug it in again to go on"),
    (.interrupted(.background), "the session is interrupted (background)"),
    (.starting, "the session is starting"),
  ])
  func theReasonIsAClause(state: SessionState, words: String) {
    #expect(state.whyNoPhotos == words)
  }
}
