import { rmSync } from 'node:fs'
import { openPlainly, writerOf } from './database.ts'
import { forgetUser } from './identity.ts'

/** Takes a user out of a backup, whatever its version, down to the last byte. A file of which that is not possible is removed, since the user was promised to be gone. */
export const forgetInBackup = (file: string, userId: string): void => {
  try {
    const database = openPlainly(file)
    try {
      const writer = writerOf(database)
      database.transaction(() => { forgetUser(writer, { userId }) }).immediate()
      database.exec('VACUUM')
    } finally {
      database.close()
    }
  } catch {
    rmSync(file, { force: true })
  }
}
