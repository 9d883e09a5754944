import { runThread } from './journal-thread.ts'
import { openReading } from './reader.ts'

runThread(openReading)
