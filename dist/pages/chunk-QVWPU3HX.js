function S({code:s,message:t}){let e=s==="duets-set-aside"?/^(\d+) of (\d+) /.exec(t):null;return e===null?null:{aside:Number(e[1]),all:Number(e[2])}}export{S as a};
