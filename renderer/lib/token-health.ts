import { brokerageRoutes, healthAnswer } from '#shared/api/brokerage.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { callApi, type ApiFailure } from './api.ts'

const { tradovate } = brokerageRoutes

/** Whether the brokerage still lets this user's accounts in. */
export type TokenHealth = Extract<AnswerOf<typeof tradovate>, { needsReauth: boolean }>

/** The reading of the token health: which accounts' access ended for good. */
export const tokenHealthQuery = (userId: string) =>
  queryOptions<TokenHealth, ApiFailure>({
    queryKey: [tradovate.path, { action: 'checkTokenHealth', userId }],
    queryFn: async () => healthAnswer.parse(await callApi(tradovate, { body: { userId, action: 'checkTokenHealth' } })),
  })
