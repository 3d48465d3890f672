import BookScan
import Library
import Uploads

/// Determines the places of a photo's findings: rows of books, and positions in them.
enum PhotoPlaces {
  /// - Parameters:
  ///   - books: findings that get whole numbers.
  ///   - others: probable non-books, which get fractions between the numbers of their neighbours.
  /// - Returns: the places of `books`, then the places of `others`.
  static func all(_ books: [SpineFinding], _ others: [SpineFinding]) -> [Finding.Place] {
    let boxes = (books + others).map(\.box)
    var places = boxes.map {
      Finding.Place(row: 0, position: 0, x: $0.x, y: $0.y, width: $0.width, height: $0.height)
    }
    for (number, row) in ShelfOrder.rows(boxes, isBook: { $0 < books.count }).enumerated() {
      var (counted, between) = (0, 0)
      for index in row {
        if index < books.count { (counted, between) = (counted + 1, 0) } else { between += 1 }
        places[index].row = number + 1
        // No row has 1000 probable non-books between two books.
        places[index].position = Double(counted) + Double(min(between, 999)) / 1000
      }
    }
    return places
  }
}
