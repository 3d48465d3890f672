import Capture
import Testing

@testable import RemoteControl

/// The sentence that tells a person why the shutter is disabled.
@Suite struct SessionWordsTests {
  @Test(arguments: [
    (SessionState.interrupted(.deviceDisconnected), "the camera is disconnected; plug it in again to go on"),
    (.interrupted(.background), "the session is interrupted (background)"),
    (.starting, "the session is starting; wait until pictures come"),
  ])
  func theReasonIsAClause(state: SessionState, words: String) {
    #expect(state.whyNoPhotos == words)
  }
}
