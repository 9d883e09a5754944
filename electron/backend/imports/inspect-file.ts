import { err, ok, type Result } from '#shared/base/result.ts'
import { columnFacts, type ColumnFacts } from '#shared/imports/guess-format.ts'
import { readText, type FileProblem } from './read-export.ts'
import { createFileRows } from './rows-of-text.ts'

// As many as a format may have.
const mostColumns = 200

/** What the columns of any file of rows hold, looked at to its end; refused where it has no two columns to map. */
export const inspectFile = async (source: AsyncIterable<Uint8Array>): Promise<Result<readonly ColumnFacts[], FileProblem>> => {
  const rows = createFileRows()
  let facts: ReturnType<typeof columnFacts> | null = null
  const problem = await readText(source, (text, last): Promise<FileProblem | null> => {
    for (const row of rows.read(text, last)) {
      if ('broken' in row) continue
      if (facts !== null) facts.note(row.cells)
      else if (row.cells.length < 2 || row.cells.length > mostColumns) return Promise.resolve({ code: 'unknown-kind' })
      else facts = columnFacts(row.cells)
    }
    return Promise.resolve(null)
  })
  if (problem !== null) return err(problem)
  const found = facts as ReturnType<typeof columnFacts> | null
  return found === null ? err({ code: 'empty' }) : ok(found.facts())
}
