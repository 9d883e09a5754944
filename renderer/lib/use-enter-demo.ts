import { sessionRoutes } from '#shared/api/session.ts'
import { useMutation } from '@tanstack/react-query'
import { callApi } from './api.ts'
import { useRenewSession } from './session.ts'

/** Signs in to the demo profile; settles once the session has it. */
export const useEnterDemo = () => {
  const renewSession = useRenewSession()
  return useMutation({ mutationFn: () => callApi(sessionRoutes.signInDemo), onSuccess: renewSession })
}
