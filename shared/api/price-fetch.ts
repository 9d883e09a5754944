import { z } from 'zod'
import { priceFeeds } from '#shared/prices/feeds.ts'
import { calendarDay, moment } from './fields.ts'

/** How far a fetch is: which feed is asked, for how many sessions, and until when it pauses as the feed asked; the feed is null before the first is asked. */
export const fetchProgress = z.object({ feed: z.enum(priceFeeds).nullable(), done: z.number().int().nonnegative(), total: z.number().int().nonnegative(), contract: z.string().nullable(), day: calendarDay.nullable(), waitsUntil: moment.nullable() })
export type FetchProgress = z.infer<typeof fetchProgress>
