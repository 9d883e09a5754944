import { runThread } from './journal-thread.ts'
import { openWriter } from './writer.ts'

runThread(openWriter)
