import { readdirSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { givenWords } from './given-words.ts'
import { databases, draftNext, snapshotFile, type DatabaseName } from './schemas.ts'

const usage = `usage: npm run migration -- ${Object.keys(databases).join('|')} NAME`

const isDatabase = (word: string | undefined): word is DatabaseName => word !== undefined && word in databases

/** Drafts the next migration of a database from the changes of its schema since the last one, and returns its file; null if nothing changed. */
const writeNext = async (database: DatabaseName, name: string): Promise<string | null> => {
  const { statements, snapshot } = await draftNext(database)
  const { migrations } = databases[database]
  if (statements.length === 0) return null
  const number = readdirSync(migrations).filter((file) => file.endsWith('.sql')).length + 1
  const file = join(migrations, `${String(number).padStart(4, '0')}-${name}.sql`)
  // No older service runs beside it until the author of the migration lowers the number.
  const header = database === 'cloud' ? `-- beside: ${String(number)}\n` : ''
  writeFileSync(file, `${header}${statements.map((statement) => statement.trim().replaceAll('\t', '  ')).join('\n')}\n`, { flag: 'wx' })
  writeFileSync(snapshotFile(database), `${JSON.stringify(snapshot, null, 1)}\n`)
  return file
}

const [database, name] = givenWords(usage, 2)
if (!isDatabase(database) || name === undefined || !/^[a-z0-9-]+$/.test(name)) {
  console.error(usage)
  process.exit(2)
}
const file = await writeNext(database, name)
console.log(file === null ? 'Nothing to do: the schema is as it was at the last migration.' : `Drafted ${relative('.', file)}: read it, say in it why, and run tests/migrations.`)
