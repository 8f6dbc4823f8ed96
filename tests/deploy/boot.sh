# Boots systemd from the tree of files $1, in namespaces that were made for it. Whatever it changes stays in the
# folder $2, in memory, and goes with it. The folders $3... are to be seen there under /mnt.
set -eu
tree=$1 room=$2
shift 2
mount --make-rprivate /
mount -t tmpfs tmpfs "$room"
mkdir "$room/changes" "$room/work" "$room/root"
mount -t overlay overlay -o "lowerdir=$tree,upperdir=$room/changes,workdir=$room/work" "$room/root"
cd "$room/root"
mount -t proc proc proc
mount -t sysfs sysfs -o ro sys
mount -t cgroup2 cgroup2 sys/fs/cgroup
for each in run tmp dev mnt; do mount -t tmpfs tmpfs $each; done
chmod 755 run dev mnt
mkdir dev/pts dev/shm
mount -t devpts devpts -o newinstance,ptmxmode=666 dev/pts
ln -s pts/ptmx dev/ptmx
ln -s /proc/self/fd dev/fd
while read -r name major minor; do mknod -m 666 "dev/$name" c "$major" "$minor"; done <<END
null 1 3
zero 1 5
full 1 7
random 1 8
urandom 1 9
tty 5 0
END
for each in "$@"; do
  mkdir "mnt/${each##*/}"
  mount --bind "$each" "mnt/${each##*/}"
done
# Of the services of this tree only those start that are asked for.
rm -rf etc/systemd/system/*.wants
cp mnt/etc/* etc/
hostname "$(cat etc/hostname)"
mkdir -p mnt/old
pivot_root . mnt/old
umount -l /mnt/old
exec env -i container=other PATH=/usr/sbin:/usr/bin:/sbin:/bin /lib/systemd/systemd --show-status=false
