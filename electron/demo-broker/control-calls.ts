import { z } from 'zod'
import { bearerOf, empty, json, text, type Answer, type Call } from './answers.ts'
import type { DemoBroker } from './broker-types.ts'
import { faultSchema } from './faults.ts'
import { answerFloor } from './floor-control.ts'
import { answerQuotes } from './quotes-control.ts'
import { answerSockets } from './socket-control.ts'

const faultsSchema = z.array(faultSchema)
const clockSchema = z.object({ now: z.int() })

/**
 * The controls of a stand-in in another process, opened by its control token:
 * `POST /_demo/faults` replaces the faults by an array, `POST /_demo/clock` sets `{ now }` (UTC milliseconds), `GET` of either
 * reads it, `GET /_demo/traffic` tells what was asked and `DELETE /_demo/traffic` forgets it; `/_demo/socket` is in socket-control.ts,
 * prices in quotes-control.ts, what is traded live in floor-control.ts.
 */
export const answerControl = (broker: Pick<DemoBroker, 'controlToken' | 'faults' | 'clock' | 'traffic' | 'walk' | 'sockets' | 'quotes' | 'floor' | 'hand'>, call: Call): Answer => {
  if (bearerOf(call) !== broker.controlToken) return empty(401)
  if (call.path === '/_demo/socket') return answerSockets(broker.sockets, call)
  if (call.path === '/_demo/quotes') return answerQuotes(broker.quotes, call)
  const ofFloor = answerFloor(broker, call)
  if (ofFloor !== null) return ofFloor
  switch (`${call.method} ${call.path}`) {
    case 'POST /_demo/faults': {
      const faults = faultsSchema.safeParse(call.json)
      if (!faults.success) return text(400, z.prettifyError(faults.error))
      broker.faults.set(faults.data)
      return json(broker.faults.active())
    }
    case 'GET /_demo/faults':
      return json(broker.faults.active())
    case 'POST /_demo/clock': {
      const clock = clockSchema.safeParse(call.json)
      if (!clock.success) return text(400, z.prettifyError(clock.error))
      broker.clock.set(clock.data.now)
      return json(clock.data)
    }
    case 'GET /_demo/clock':
      return json({ now: broker.clock.now(), walk: broker.walk })
    case 'GET /_demo/traffic':
      return json(broker.traffic.seen())
    case 'DELETE /_demo/traffic':
      broker.traffic.clear()
      return empty(204)
    default:
      return empty(404)
  }
}
