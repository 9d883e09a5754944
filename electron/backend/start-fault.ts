import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { StartProblem } from './start-problem.ts'
import { foreignWriterProblem } from './own-folder.ts'
import type { Settings } from './settings.ts'
import { isStoreFault } from './db/fault.ts'
import type { LostBecause } from './db/lost-journal.ts'
import { newestGoodBackup } from './backups/newest-good-backup.ts'
import { hasNoFreeInodes } from './db/free-inodes.ts'

/** An error for something outside that the program cannot start without. */
export const startFault = (code: 'no-keychain'): Error => Object.assign(new Error(code), { code })

/** What the user can do about a failed start; null if it is a bug. */
export const startProblemOf = (error: unknown, { dataDir, port }: Settings): StartProblem | null => {
  const journal = join(dataDir, 'journal.db')
  const backups = join(dataDir, 'backups')
  if (isStoreFault(error)) {
    const { file = journal } = error
    const backupOf = (of: 'journal' | 'copier'): string => {
      const good = newestGoodBackup(backups, of)
      return good === null ? `a backup from ${backups}` : `a copy of ${good}, the newest intact backup,`
    }
    // A WAL without its file may have no backup.
    const instead = (of: 'journal' | 'copier', place: string): string => (existsSync(backups) ? ` and put ${backupOf(of)} in ${place}` : '; there is no backup')
    const named = (of: 'journal' | 'copier'): string => (existsSync(backups) ? `put ${backupOf(of)} in its place` : 'start without it: there is no backup')
    const orBackup = existsSync(backups) ? `, put a backup from ${backups} in its place,` : ''
    const what = file === journal ? 'journal' : 'file of the trade copier'
    switch (error.code) {
      case 'newer-database':
        return { name: file, wanted: `a ${what} that this version of Fillbook knows`, remedy: `A newer version of Fillbook wrote it (${error.message}): start that version${existsSync(backups) ? `, or put a backup from ${backups} in its place` : ''}.` }
      case 'damaged-database':
        // Only this file knows which groups were armed and what they hold.
        if (file !== journal) return { name: file, wanted: `an undamaged ${what}`, remedy: `Check your open positions at the broker. Then move the file to another folder, and ${named('copier')}; to set up your groups from scratch, move the copier's backups to another folder too.` }
        return { name: file, wanted: `an undamaged ${what}`, remedy: `Move the file, with its -wal and -shm if they exist, to another folder, and ${named('journal')}.` }
      case 'lost-journal':
        return file === journal ? lostProblem(journal, error.message as LostBecause, { backup: backupOf('journal'), instead: instead('journal', "the journal's place") }) : lostCopier(file, error.message as LostBecause, { backups, backup: backupOf('copier'), instead: instead('copier', 'its place') })
      case 'two-names':
        return { name: file, wanted: 'a file with one name only', remedy: 'A hard link gives this file a second name, and two programs that write to it under two names damage it. Copy the file, and put the copy in its place.' }
      case 'migration-changed':
        return { name: file, wanted: `a ${what} made by a released version of Fillbook`, remedy: `Start the version that made it${orBackup} or start with another data folder.` }
      case 'disk-full':
        return roomProblem(dataDir)
      case 'disk-failed':
        return { name: dataDir, wanted: 'on a working disk', remedy: 'Check the disk, its connection and your storage quota, then start again.' }
      case 'unwritable':
        return folderProblem(dataDir)
      case 'busy':
        return { name: file, wanted: 'in use by one Fillbook only', remedy: 'Stop the other program that has it open, or choose another folder with --data-dir.' }
      case 'not-found':
      case 'no-profile':
      case 'journal-closed':
      case 'journal-moved':
      case 'internal':
        return null
    }
  }
  switch (error instanceof Error && 'code' in error ? error.code : null) {
    case 'EADDRINUSE':
      return { name: `port ${String(port)}`, wanted: 'free', remedy: 'Another program, perhaps another Fillbook, uses it: stop that one, or choose another port with --port or FILLBOOK_PORT.' }
    case 'strangers':
      return foreignWriterProblem((error as Error & { path: string }).path)
    case 'no-keychain':
      return { name: 'FILLBOOK_SECRETS', wanted: 'a store for secrets that works here', remedy: 'The keychain of this system does not respond: unlock it, or set FILLBOOK_SECRETS to file and connect your broker again.' }
    case 'odd-path':
      return { name: dataDir, wanted: 'a path without any of < > : " | ? *', remedy: 'Rename the folder, or choose another with --data-dir or FILLBOOK_DATA_DIR.' }
    case 'ENOSPC':
    case 'EDQUOT':
      return roomProblem(dataDir)
    case 'EEXIST':
    case 'ENOENT':
    case 'EACCES':
    case 'EPERM':
    case 'EROFS':
    case 'ENOTDIR':
      return folderProblem(dataDir)
    default:
      return null
  }
}

const lostWords: Readonly<Record<Exclude<LostBecause, 'log-alone' | 'log-lost'>, string>> = { missing: 'The file is missing', empty: 'The file is empty', 'no-profiles': 'The file holds no profile' }

/** Texts about backups: which one to use, and what to do after moving away a WAL without its file. */
type Ways = { readonly backup: string; readonly instead: string }

const lostProblem = (journal: string, because: LostBecause, { backup, instead }: Ways): StartProblem => {
  const startOver = 'To start from scratch, choose another folder with --data-dir or FILLBOOK_DATA_DIR.'
  if (because === 'log-alone') return { name: journal, wanted: 'beside its log', remedy: `The log ${journal}-wal is there, but the journal is missing or empty. Put the journal back if you have it. If not, move the log, and ${journal}-shm if it is there, to another folder${instead}. ${startOver}` }
  if (because === 'log-lost') return { name: `${journal}-wal`, wanted: 'the log that was written last for this journal', remedy: `It is missing, empty or a different one, and held rows that the journal does not have yet. Put it back if you have it. If not, or if ${journal} is a copy that you put in its place, move ${journal}-shm and the log to another folder and start again: those rows are then lost.` }
  return { name: journal, wanted: 'the journal that your backups hold', remedy: `${lostWords[because]}, and your backups hold profiles. Put ${backup} in its place. ${startOver}` }
}

/** Only this file knows which groups there were, and what they hold. */
const lostCopier = (file: string, because: LostBecause, { backups, backup, instead }: Ways & { readonly backups: string }): StartProblem => {
  const ofBackups = because !== 'log-alone' || existsSync(backups) ? ` and the trade copier's backups (copier-*.db in ${backups})` : ''
  const startOver = `To set up your groups from scratch, move the log${ofBackups} to another folder.`
  const how = because === 'log-alone' ? `Its log ${file}-wal is there, but the file is missing or empty: put the file back if you have it, or move the log to another folder${instead}.` : `${because === 'empty' ? lostWords.empty : lostWords.missing}, and your backups hold groups: put ${backup} in its place.`
  return { name: file, wanted: 'the file of the trade copier that was there', remedy: `Check your open positions at the broker. ${how} ${startOver}` }
}

const roomProblem = (dataDir: string): StartProblem => ({ name: dataDir, wanted: 'a folder with room left', remedy: 'Free up space on its disk and start again.' })

const folderProblem = (dataDir: string): StartProblem =>
  hasNoFreeInodes(dataDir) ? roomProblem(dataDir) : { name: dataDir, wanted: 'a folder that can be written to', remedy: 'Fix its permissions, or choose another with --data-dir or FILLBOOK_DATA_DIR.' }
