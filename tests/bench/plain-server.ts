import type { AddressInfo } from 'node:net'
import Sqlite from 'better-sqlite3'
import express from 'express'

// The least that answers a call from a journal: no more than Express and better-sqlite3, begun with a file that is there.
const database = new Sqlite(process.argv[2])
database.pragma('journal_mode = WAL')
const profiles = database.prepare('SELECT count(*) AS profiles FROM profiles')
const app = express()
app.get('/api/session', (_request, response) => void response.json(profiles.get()))
const server = app.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${String((server.address() as AddressInfo).port)}/`))
