import {pino} from 'pino'
const mode=process.argv[2]
const dest= mode==='now'?process.stderr: pino.destination({dest:2,sync:true,minLength:4096,periodicFlush:100})
const log=pino({base:null,timestamp:pino.stdTimeFunctions.isoTime},dest)
const go=async n=>{for(let i=0;i<n;i++){log.info({method:'POST',route:'/session{/}',status:200,ms:i%7},'request'); if(i%2) await new Promise(setImmediate)}}
await go(20000)
for(let r=0;r<3;r++){const c=process.cpuUsage(); await go(20000); const d=process.cpuUsage(c); console.log(mode,((d.user+d.system)/20000).toFixed(2),'us/line')}
process.exit()
