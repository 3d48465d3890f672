/// The document that a browser shows.
package enum ViewfinderPage {
  package static let document: [UInt8] = Array(
    """
    <!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
    <title>Viewfinder</title><style>body{background:#000;color:#fff;margin:0}img{width:100%}</style>
    <img src="/pictures.mjpeg" alt="The picture of the camera">
    """.utf8)
}
