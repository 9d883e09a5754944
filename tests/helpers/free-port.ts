import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

// Below what Linux, macOS and Windows give to whoever asks for any port, so that no other test is given it before it is used.
const first = 20_000
const last = 32_000

/** A free loopback port, for a program that needs a port number. */
export const freePort = async (): Promise<number> => {
  const server = createServer().listen(randomInt(first, last), '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return freePort()
    throw error
  }
  const { port } = server.address() as { readonly port: number }
  server.close()
  await once(server, 'close')
  return port
}
