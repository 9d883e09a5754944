import { useUserId } from '#renderer/lib/session.ts'
import { standingQuery } from '#renderer/lib/standing.ts'
import { useQuery } from '@tanstack/react-query'

/** Makes the application check when somebody signs in, and every hour, on whatever page they are. */
export const SubscriptionWatch = () => {
  useQuery(standingQuery(useUserId()))
  return null
}
