import type { JournalWrites } from '../journal/journal-writes.ts'
import { changesSoFar, restoreJournal } from '../backups/restore-journal.ts'
import type { Taking } from '../fills/take-fills.ts'
import { endJournalFile, mergeJournalFile } from './take-journal-file.ts'

/** What brings a journal back from a file, over the writing connection. */
export const journalFileTurns = (taking: Taking): Pick<JournalWrites, 'mergeJournalFile' | 'endJournalFile' | 'restoreJournal' | 'changesSoFar'> => ({
  mergeJournalFile: (input) => mergeJournalFile(taking, input),
  endJournalFile: (input) => endJournalFile(taking, input),
  restoreJournal: (input) => restoreJournal(taking, input),
  changesSoFar: () => changesSoFar(taking.writer),
})
