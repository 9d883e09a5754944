import { brokerageRoutes, healthAnswer } from '#shared/api/brokerage.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { queryOptions } from '@tanstack/react-query'
import { callApi, type ApiFailure } from './api.ts'

const { tradovate } = brokerageRoutes

/** Whether this user's accounts still have access to the brokerage. */
export type TokenHealth = Extract<AnswerOf<typeof tradovate>, { needsReauth: boolean }>

/** The query of the token health: which accounts lost access permanently. */
export const tokenHealthQuery = (userId: string) =>
  queryOptions<TokenHealth, ApiFailure>({
    queryKey: [tradovate.path, { action: 'checkTokenHealth', userId }],
    queryFn: async () => healthAnswer.parse(await callApi(tradovate, { body: { userId, action: 'checkTokenHealth' } })),
  })
