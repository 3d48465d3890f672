import BookScan
import Library
import Uploads

/// Where the findings of one photo stand: rows of books, and places in them.
enum PhotoPlaces {
  /// - Parameters:
  ///   - books: they are counted.
  ///   - others: what is probably no book stands between those that it lies between.
  /// - Returns: of the books, then of the others.
  static func all(_ books: [SpineFinding], _ others: [SpineFinding]) -> [Finding.Place] {
    let boxes = (books + others).map(\.box)
    var places = boxes.map {
      Finding.Place(row: 0, position: 0, x: $0.x, y: $0.y, width: $0.width, height: $0.height)
    }
    for (number, row) in ShelfOrder.rows(boxes).enumerated() {
      var (counted, between) = (0, 0)
      for index in row {
        if index < books.count { (counted, between) = (counted + 1, 0) } else { between += 1 }
        places[index].row = number + 1
        // 1000 of them between two books are no row any more.
        places[index].position = Double(counted) + Double(min(between, 999)) / 1000
      }
    }
    return places
  }
}
