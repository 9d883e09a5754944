import { desktop } from '#renderer/lib/desktop.ts'
import { useFormat } from '#renderer/lib/use-format.ts'
import { Button } from '#renderer/ui/button.tsx'
import { Notice } from '#renderer/ui/notice.tsx'
import type { backupRoutes } from '#shared/api/backups.ts'
import type { AnswerOf } from '#shared/api/route.ts'
import { useMutation } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { megabytes } from './megabytes.ts'

/** Problems of backups or the journal's file, what to do about them, and what happens at the next start. */
export const BackupTroubles = ({ backups: { health, trouble, waiting, room } }: { backups: AnswerOf<typeof backupRoutes.backups> }) => {
  const { t } = useTranslation('backups')
  const format = useFormat()
  const isTight = room !== null && room.free < room.needed
  return (
    <>
      {waiting !== null && <Waiting name={waiting} />}
      {waiting === null && health === 'damaged' && (
        <Notice tone="error" className="mx-4 mt-3">
          {t('damaged')}
        </Notice>
      )}
      {isTight && health !== 'damaged' && (
        <Notice tone="warn" className="mx-4 mt-3">
          {t('room', { needed: format.quantity(Math.ceil(megabytes(room.needed))), free: format.quantity(Math.floor(megabytes(room.free))) })}
        </Notice>
      )}
      {trouble !== null && health !== 'damaged' && !(isTight && trouble.why === 'disk-full') && (
        <Notice tone="warn" className="mx-4 mt-3">
          {t(`trouble.${trouble.why}`, { at: format.fullDateTime(trouble.at), file: t(`trouble.of.${trouble.of}`) })}
        </Notice>
      )}
    </>
  )
}

/** What happens at the program's next start, which the desktop can trigger at once. */
const Waiting = ({ name }: { name: string }) => {
  const { t } = useTranslation('backups')
  const restarting = useMutation({ mutationFn: () => desktop?.shell.restart() ?? Promise.resolve() })
  if (desktop === null) return <Notice className="mx-4 mt-3">{t('waiting-browser', { name })}</Notice>
  const restart = (
    <Button size="sm" busy={restarting.isPending || restarting.isSuccess} onClick={() => { restarting.mutate() }}>
      {t('restart')}
    </Button>
  )
  return (
    <>
      <Notice className="mx-4 mt-3" action={restart}>
        {t('waiting', { name })}
      </Notice>
      {restarting.isError && (
        <Notice tone="error" className="mx-4 mt-3">
          {t('restart-failed')}
        </Notice>
      )}
    </>
  )
}
